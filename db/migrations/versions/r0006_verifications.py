"""Verifications: finalists measured again, and what became of their claims.

Revision 0006, after 0005.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TEXT, WORD, TIME = sa.Text(), sa.String(32), sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "verifications",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("sweep_id", sa.Integer(), sa.ForeignKey("sweeps.id"), nullable=False, index=True),
        sa.Column("state", WORD, nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("launches", sa.Integer(), nullable=False),
        sa.Column("started", TIME, nullable=False),
        sa.Column("ended", TIME),
        sa.Column("driver_host", TEXT, nullable=False),
        sa.Column("driver_pid", sa.Integer(), nullable=False),
        sa.Column("driver_started", sa.Double(), nullable=False),
    )
    verification = sa.ForeignKey("verifications.id")
    op.create_table(
        "verification_runs",
        sa.Column("verification_id", sa.Integer(), verification, primary_key=True),
        sa.Column("rig", TEXT, primary_key=True),
        sa.Column("position", sa.Integer(), primary_key=True),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("trial_id", sa.Integer(), sa.ForeignKey("sweep_trials.id"), nullable=False),
        sa.Column("memo", sa.JSON(), nullable=False),
        sa.Column("job_id", TEXT, sa.ForeignKey("jobs.id")),
    )
    verification = sa.ForeignKey("verifications.id")
    op.create_table(
        "verification_claims",
        sa.Column("verification_id", sa.Integer(), verification, primary_key=True),
        sa.Column("position", sa.Integer(), primary_key=True),
        sa.Column("rig", TEXT, nullable=False),
        sa.Column("trial_id", sa.Integer(), sa.ForeignKey("sweep_trials.id"), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("verdict", WORD, nullable=False),
        sa.Column("sentence", TEXT, nullable=False),
        sa.Column("claimed", sa.Double()),
        sa.Column("value", sa.Double()),
        sa.Column("low", sa.Double()),
        sa.Column("high", sa.Double()),
    )


def downgrade() -> None:
    """Drops them."""
    for table in ("verification_claims", "verification_runs", "verifications"):
        op.drop_table(table)
