/** Returns the way from the folder of all pages to the page of a rule. */
export const pageOf = (id) => `rules/${id}.html`;
