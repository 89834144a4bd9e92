"""The bots that ship with Kibitz: ``random``, ``careful`` and ``search``."""
