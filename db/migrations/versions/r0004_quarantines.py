"""Rigs that a sweep left out.

Revision 0004, after 0003.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TEXT, TIME = sa.Text(), sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the table."""
    op.create_table(
        "quarantines",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("sweep_id", sa.Integer(), sa.ForeignKey("sweeps.id"), nullable=False, index=True),
        sa.Column("rig", TEXT, nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("began", TIME, nullable=False),
        sa.Column("lifted", TIME),
    )


def downgrade() -> None:
    """Drops it."""
    op.drop_table("quarantines")
