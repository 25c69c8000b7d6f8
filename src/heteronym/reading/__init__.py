"""The texts of persons beside their cells: recognized, read person by person, linked to columns."""
