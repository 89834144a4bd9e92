"""The referee: plays matches between connected bots, keeps their clocks, writes records."""
