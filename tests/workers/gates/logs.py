"""Lines in the shape of real logs, shortened; each says which builds write like this."""

# llama.cpp b11434, -lv 4
KV_NOW = (
    "0.00.168.034 I llama_kv_cache: size =   10.20 MiB (  1024 cells,  30 layers,  1/1 seqs), "
    "K (q8_0):    5.98 MiB, V (q5_1):    4.22 MiB\n"
)
LOADS_DRAFTER = "0.00.189 I common_speculative_init_result: loading draft model '/models/d.gguf'\n"
KV_OF_DRAFTER = (
    "0.00.323.151 I llama_kv_cache: size =    2.25 MiB (  1024 cells,   3 layers,  1/1 seqs), "
    "K (f16):    1.12 MiB, V (f16):    1.12 MiB\n"
)
# llama.cpp until May 2025, TurboQuant forks
KV_2024 = (
    "llama_new_context_with_model: KV self size  =  512.00 MiB, "
    "K (turbo3):  256.00 MiB, V (f16):  256.00 MiB\n"
)
# ik_llama.cpp
KV_LATENT = "llama_init: KV self size  =   72.91 MiB, c^KV (q8_0):   72.91 MiB, kv^T: not used\n"
KV_K_ONLY = (
    "llama_init: KV self size =   64.00 MiB, K-only (q8_0):   64.00 MiB; "
    "independent V-cache: not used\n"
)
# BeeLlama 0.4: the bookkeeping of a KVarN cache looks like an f16 cache of no layers
KV_KVARN = (
    "I llama_kv_cache: size =    0.00 MiB ( 32768 cells,   0 layers,  1/1 seqs), "
    "K (f16):    0.00 MiB, V (f16):    0.00 MiB\n"
    "I KVarN cache: stage_groups=5 tail_groups=4 n_batch=512 n_ubatch=512\n"
    "I llama_kv_cache_kvarn: type = kvarn_k4v3_g128, layers = 16, groups/stream = 256, "
    "streams = 1, KVarN = 552.00 MiB, equivalent F16 = 2048.00 MiB\n"
)
# Models with sliding windows have two caches
KV_SLIDING = (
    "I llama_kv_cache: size =  160.00 MiB ( 32768 cells,   5 layers,  1/1 seqs), "
    "K (q8_0):   80.00 MiB, V (q8_0):   80.00 MiB\n"
    "I llama_kv_cache: size =   20.00 MiB (  1536 cells,  25 layers,  1/1 seqs), "
    "K (f16):   10.00 MiB, V (f16):   10.00 MiB\n"
)

N_MAX = "0.00.340.983 I common_speculative_impl_draft_dflash: - n_max={}, n_min=0, p_min=0.00\n"
BLOCK = (
    "0.00.340.985 I common_speculative_impl_draft_dflash: - block_size={}, mask_token_id=16, "
    "n_extract=5, sample_from_anchor=true\n"
)
CLAMPED = (
    "0.00.340.986 W common_speculative_impl_draft_dflash: requested draft size (n_max=12, "
    "n_min=0) exceeds the trained block size 8 -- clamping to 7\n"
)
BLOCK_BEE_EARLY = "dflash: block_size=16, mask_token=151669, n_target_layers=5, n_embd=5120\n"
NGRAM_MOD = "0.00.175 I spec common_specu: - n_match=24, n_max=64, n_min=48\n"

SPLITS_NOW = (
    "0.00.173 I sched_reserve: graph: nodes = 1299, splits = {}, input objects = 4, "
    "input tensors = 11\n"
)
SPLITS_NOW_TWO = (
    "0.00.342 I sched_reserve: graph (pp bs=512, tg bs=1): nodes = 175 / 115, "
    "splits = {} / {}, input objects = 4 / 4\n"
)
SPLITS_2025 = "llama_context: graph splits = {} (with bs=512), {} (with bs=1)\n"
SPLITS_2024 = "llama_new_context_with_model: graph splits = {}\n"
