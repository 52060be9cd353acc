"""Sweeps, and what hosts reported about their rigs, engines and models.

Revision 0001, the first.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TEXT, WORD, TIME = sa.Text(), sa.String(32), sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "sweeps",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("key", TEXT, nullable=False, unique=True),
        sa.Column("name", TEXT, nullable=False, index=True),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("space", sa.JSON(), nullable=False),
        sa.Column("named_facets", sa.JSON(), nullable=False),
        sa.Column("fingerprint", sa.JSON(), nullable=False),
        sa.Column("state", WORD, nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("started", TIME, nullable=False),
        sa.Column("ended", TIME),
        sa.Column("driver_host", TEXT, nullable=False),
        sa.Column("driver_pid", sa.Integer(), nullable=False),
        sa.Column("driver_started", sa.Double(), nullable=False),
    )
    op.create_table(
        "sweep_hosts",
        sa.Column("sweep_id", sa.Integer(), sa.ForeignKey("sweeps.id"), primary_key=True),
        sa.Column("host", TEXT, primary_key=True),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("recorded", TIME, nullable=False),
    )
    op.create_table(
        "rigs",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("key", TEXT, nullable=False, unique=True),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("host", TEXT, nullable=False),
        sa.Column("kind", WORD, nullable=False),
        sa.Column("hardware_key", TEXT, nullable=False, index=True),
        sa.Column("simulated", sa.Boolean(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("first_seen", TIME, nullable=False),
    )
    op.create_table(
        "engines",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("host", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("role", TEXT, nullable=False),
        sa.Column("label", TEXT, nullable=False),
        sa.Column("sha256", TEXT, nullable=False, index=True),
        sa.Column("path", TEXT, nullable=False),
        sa.Column("capabilities", sa.JSON()),
        sa.Column("first_seen", TIME, nullable=False),
        sa.UniqueConstraint("host", "name", "role", "sha256", "path"),
    )
    op.create_table(
        "models",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("host", TEXT, nullable=False),
        sa.Column("reference", TEXT, nullable=False),
        sa.Column("path", TEXT, nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", TEXT, nullable=False, index=True),
        sa.Column("header", sa.JSON(), nullable=False),
        sa.Column("first_seen", TIME, nullable=False),
        sa.UniqueConstraint("host", "reference", "sha256", "path"),
    )


def downgrade() -> None:
    """Drops them."""
    for table in ("models", "engines", "rigs", "sweep_hosts", "sweeps"):
        op.drop_table(table)
