"""Jobs: what was asked of a worker, and what happened.

Revision 0002, after 0001.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TEXT, WORD, TIME = sa.Text(), sa.String(32), sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "jobs",
        sa.Column("id", TEXT, primary_key=True),
        sa.Column("sweep_id", sa.Integer(), sa.ForeignKey("sweeps.id"), index=True),
        sa.Column("rig_id", sa.Integer(), sa.ForeignKey("rigs.id"), nullable=False),
        sa.Column("state", WORD, nullable=False, index=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("simulated", sa.Boolean(), nullable=False),
        sa.Column("resolved_key", TEXT, nullable=False, index=True),
        sa.Column("resolved", sa.JSON(), nullable=False),
        sa.Column("recipe", sa.JSON(), nullable=False),
        sa.Column("stop", sa.JSON(), nullable=False),
        sa.Column("started", TIME, nullable=False),
        sa.Column("ended", TIME),
        sa.Column("start_s", sa.Double()),
        sa.Column("facets_s", sa.Double()),
        sa.Column("wall_s", sa.Double()),
        sa.Column("log_path", TEXT, nullable=False),
        sa.Column("argv", sa.JSON(), nullable=False),
        sa.Column("effective", sa.JSON(), nullable=False),
        sa.Column("telemetry", sa.JSON(), nullable=False),
        sa.Column("log_tail", TEXT, nullable=False),
        sa.Column("same_as", TEXT),
    )
    op.create_table(
        "job_facets",
        sa.Column("job_id", TEXT, sa.ForeignKey("jobs.id"), primary_key=True),
        sa.Column("memo_key", TEXT, primary_key=True, index=True),
        sa.Column("facet", WORD, nullable=False),
        sa.Column("position", sa.Integer()),
        sa.Column("build_role", TEXT),
        sa.Column("build_label", TEXT),
        sa.Column("build_sha256", TEXT),
        sa.Column("build_path", TEXT),
        sa.Column("estimates", sa.JSON(), nullable=False),
        sa.Column("flags", sa.JSON(), nullable=False),
    )
    op.create_table(
        "launches",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("job_id", TEXT, sa.ForeignKey("jobs.id"), nullable=False, index=True),
        sa.Column("position", sa.Integer()),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("pid_started", sa.Double(), nullable=False),
        sa.Column("argv", sa.JSON(), nullable=False),
        sa.Column("log_path", TEXT, nullable=False),
        sa.Column("start_s", sa.Double(), nullable=False),
    )
    op.create_table(
        "gates",
        sa.Column("job_id", TEXT, sa.ForeignKey("jobs.id"), primary_key=True),
        sa.Column("position", sa.Integer(), primary_key=True),
        sa.Column("gate", TEXT, nullable=False),
        sa.Column("passed", sa.Boolean(), nullable=False),
        sa.Column("fatal", sa.Boolean(), nullable=False),
        sa.Column("detail", TEXT, nullable=False),
    )
    op.create_table(
        "failures",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("job_id", TEXT, sa.ForeignKey("jobs.id"), nullable=False, unique=True),
        sa.Column("kind", WORD, nullable=False, index=True),
        sa.Column("phase", WORD, nullable=False),
        sa.Column("evidence", TEXT, nullable=False),
        sa.Column("advice", TEXT, nullable=False),
        sa.Column("deterministic", sa.Boolean(), nullable=False),
        sa.Column("detail", TEXT, nullable=False),
    )


def downgrade() -> None:
    """Drops them."""
    for table in ("failures", "gates", "launches", "job_facets", "jobs"):
        op.drop_table(table)
