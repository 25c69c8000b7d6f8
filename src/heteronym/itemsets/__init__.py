"""Blocks of items that no attacker with m items can tell apart; shared by partition and recode."""
