import { createStore, set } from 'idb-keyval'
import { share, type SharedItem } from '#contract/offline.ts'

/** What a share form holds; parts of another kind than promised count as absent. */
export function readShared(form: FormData): SharedItem<File> {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const { title, text: body, url, photo: photoField } = share.fields
  const photo = form.get(photoField)
  return {
    title: text(title),
    text: text(body),
    url: text(url),
    ...(photo instanceof File && photo.size > 0 && { photo }),
  }
}

/** Keeps what was shared and sends the person to the form that takes it; the form opens empty when nothing can be kept. */
export async function keepShared(request: Request): Promise<Response> {
  try {
    const item = readShared(await request.formData())
    await set(share.key, item, createStore(share.database, share.store))
  } catch {
    // Storage is closed or full: the form is still the right place to go.
  }
  return Response.redirect(share.landing, 303)
}
