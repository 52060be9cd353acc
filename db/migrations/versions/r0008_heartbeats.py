"""When a sweep's driver was last heard of.

Revision 0008, after 0007.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the time; whoever ran a sweep before has not been heard of."""
    column: sa.Column[float] = sa.Column(
        "heartbeat", sa.Double(), nullable=False, server_default=sa.text("0")
    )
    op.add_column("sweeps", column)


def downgrade() -> None:
    """Drops it."""
    op.drop_column("sweeps", "heartbeat")
