/**
 * That entries may be hidden. The column is made with each section's table; this is for earlier versions of the program, which
 * would show what is hidden: they refuse tables that have had it.
 */
export const hiddenEntries = { up: async (): Promise<void> => undefined }
