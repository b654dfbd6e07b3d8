/** What the worker tells the page that it answered from its copy: the server draws it the same, */
export const pageSame = 'SAME'
/** or otherwise, or did not answer. */
export const pageNews = 'NEWS'
