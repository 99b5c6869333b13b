 * SECTION:stria-bounds
