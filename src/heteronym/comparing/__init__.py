"""Which setting? Many plans on the same data: a grid, its runs, their table, the front and a word on it."""
