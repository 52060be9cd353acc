"""Sweeps that came in a file.

Revision 0005, after 0004.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the hash of the file that a sweep was imported from."""
    op.add_column("sweeps", sa.Column("imported", sa.Text()))


def downgrade() -> None:
    """Drops it."""
    op.drop_column("sweeps", "imported")
