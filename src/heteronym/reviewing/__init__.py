"""Review of distinct terms: what is worth a decision first, where it stands, what deciding would change."""
