/** Words of the CV alone. */
export const cvTexts = {
  moreInSection: '{n} más en {title}',
} as const
