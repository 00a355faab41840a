"""Configuration: shipped defaults < the user's files < environment < flags; and where data is kept."""

from mindnet.settings.load import Settings, load_settings

__all__ = ["Settings", "load_settings"]
