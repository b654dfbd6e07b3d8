export const cvPdfPath = '/cv.pdf'

/** Calls about the owner's whole résumé, and what is kept of others. */
export const resumeCalls = { resume: 'resume', kept: 'resume/kept' } as const
