"""The version, in the one place that a checkout and an installed package share."""

VERSION = "0.1.0"
