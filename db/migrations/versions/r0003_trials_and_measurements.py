"""Trials, and the numbers they link to.

Revision 0003, after 0002.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TEXT, WORD, TIME = sa.Text(), sa.String(32), sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "sweep_trials",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("sweep_id", sa.Integer(), sa.ForeignKey("sweeps.id"), nullable=False),
        sa.Column("rig", TEXT, nullable=False),
        sa.Column("number", sa.Integer()),
        sa.Column("role", WORD, nullable=False),
        sa.Column("state", WORD, nullable=False),
        sa.Column("asked_key", TEXT, nullable=False, index=True),
        sa.Column("resolved_key", TEXT, index=True),
        sa.Column("effective_key", TEXT, index=True),
        sa.Column("candidate", sa.JSON(), nullable=False),
        sa.Column("engine", TEXT, nullable=False),
        sa.Column("model", TEXT, nullable=False),
        sa.Column("drafter", TEXT),
        sa.Column("kv_k", TEXT, nullable=False),
        sa.Column("kv_v", TEXT, nullable=False),
        sa.Column("ctx", sa.Integer(), nullable=False),
        sa.Column("spec", TEXT, nullable=False),
        sa.Column("n_max", sa.Integer()),
        sa.Column("same_as", sa.Integer(), sa.ForeignKey("sweep_trials.id")),
        sa.Column("failed_by", TEXT, sa.ForeignKey("jobs.id")),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.Column("flags", sa.JSON(), nullable=False),
        sa.Column("created", TIME, nullable=False),
        sa.Column("ended", TIME),
        sa.UniqueConstraint("sweep_id", "rig", "number"),
    )
    op.create_index(None, "sweep_trials", ["sweep_id", "state"])
    op.create_table(
        "sweep_trial_facets",
        sa.Column("trial_id", sa.Integer(), sa.ForeignKey("sweep_trials.id"), primary_key=True),
        sa.Column("facet", WORD, primary_key=True),
        sa.Column("memo_key", TEXT, nullable=False, index=True),
    )
    op.create_table(
        "measurements",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("memo_key", TEXT, nullable=False),
        sa.Column("facet", WORD, nullable=False),
        sa.Column("metric", TEXT, nullable=False),
        sa.Column("value", sa.Double()),
        sa.Column("low", sa.Double()),
        sa.Column("high", sa.Double()),
        sa.Column("unit", TEXT, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("facet_n", sa.Integer(), nullable=False),
        sa.Column("build_label", TEXT, nullable=False),
        sa.Column("build_sha256", TEXT, nullable=False),
        sa.Column("job_id", TEXT, sa.ForeignKey("jobs.id"), nullable=False, index=True),
        sa.UniqueConstraint("memo_key", "metric"),
    )
    op.create_table(
        "samples",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("memo_key", TEXT, nullable=False),
        sa.Column("job_id", TEXT, sa.ForeignKey("jobs.id"), nullable=False, index=True),
        sa.Column("facet", WORD, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("label", TEXT, nullable=False),
        sa.Column("group_name", TEXT, nullable=False),
        sa.Column("launch", sa.Integer(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("raw_values", sa.JSON(), nullable=False),
    )
    op.create_index(None, "samples", ["memo_key", "job_id", "position"])


def downgrade() -> None:
    """Drops them."""
    for table in ("samples", "measurements", "sweep_trial_facets", "sweep_trials"):
        op.drop_table(table)
