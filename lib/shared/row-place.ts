/** The end of a page. Ids order the rows of one instant. */
export type RowPlace = { readonly at: Date; readonly id: string };
