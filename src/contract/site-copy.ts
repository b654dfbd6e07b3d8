/** The call for the site as files that need no server; `…/link` opens it to the browser for some minutes. */
export const siteCopyCall = 'site-copy'

export const siteCopyName = 'mi-sitio.zip'
