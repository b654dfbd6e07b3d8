import type { FieldValues } from '#contract/fields.ts'
import { placeholders } from '#contract/images/image.ts'
import { fullName, paragraphsOf, type personForms } from '#contract/person/person.ts'
import { texts } from '#contract/texts/site.ts'
import { Preview } from './entry-preview.tsx'
import { Picture } from '#client/site/picture.tsx'

interface PersonPreviewProps {
  readonly which: keyof typeof personForms
  readonly values: FieldValues
  readonly pictureUrl: string | undefined
}

export function PersonPreview({ which, values, pictureUrl }: PersonPreviewProps) {
  return (
    <Preview>
      {which === 'header' ? (
        <Header values={values} />
      ) : (
        <About values={values} pictureUrl={pictureUrl} />
      )}
    </Preview>
  )
}

function Header({ values }: { readonly values: FieldValues }) {
  return (
    <div className="header-preview">
      <p className="hello">{texts.hello}</p>
      <p className="name">{fullName({ version: 0, fields: values })}</p>
      {/* Set in the title's own type; the drawing itself is made when the title is saved. */}
      <p className="mono caret">{values['title']}</p>
    </div>
  )
}

function About({ values, pictureUrl }: Omit<PersonPreviewProps, 'which'>) {
  return (
    <div className="about-preview">
      <Picture
        address={pictureUrl ?? values['image']}
        placeholder={placeholders.person}
        alt=""
        sizes="12rem"
        box={[320, 400]}
        load="soon"
      />
      {paragraphsOf(values['description'] ?? '').map((paragraph, index) => (
        <p key={index}>{paragraph}</p>
      ))}
    </div>
  )
}
