import { altOf } from '#contract/images/alternative-text.ts'
import { placeholders } from '#contract/images/image.ts'
import { fullName, type Person } from '#contract/person/person.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'
import { Picture } from './picture.tsx'

interface PortraitProps {
  readonly person: Person
  /** How wide it is drawn, as in the HTML attribute. */
  readonly sizes: string
}

export function Portrait({ person, sizes }: PortraitProps) {
  return (
    <Picture
      address={person.fields['image']}
      placeholder={placeholders.person}
      alt={altOf(person.fields, fill(texts.portraitOf, { name: fullName(person) }))}
      sizes={sizes}
      box={[640, 800]}
      load="first"
    />
  )
}
