"""The course of a launch's telemetry.

Revision 0007, after 0006.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the thinned readings of each launch; NULL for launches before."""
    op.add_column("launches", sa.Column("series", sa.JSON()))


def downgrade() -> None:
    """Drops them."""
    op.drop_column("launches", "series")
