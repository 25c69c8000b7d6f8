"""What models need to know of sets of persons that grow and shrink."""
