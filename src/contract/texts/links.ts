/** What is said of links that lead nowhere: to the owner on her pages, and to her devices. */
export const linkTexts = {
  title: 'Enlaces',
  badge: 'Enlace caído',
  badgeOf: 'Enlace caído: {place}. Editar',
  deadOne: '1 enlace no responde desde el {date}',
  dead: '{n} enlaces no responden',
  stillShown: 'Los visitantes lo siguen viendo hasta que lo cambies.',
  stillShownMany: 'Los visitantes los siguen viendo hasta que los cambies.',
  see: 'Ver enlaces',
  edit: 'Editar',
  since: 'No responde desde el {date}',
  about: 'Cada semana se mira si responden los que publicas.',
  allWell: 'Cada semana se mira si responden los que publicas. Hoy no falta ninguno.',
  notYet: 'Cada semana se mira si responden los que publicas. La primera vez es dentro de un rato.',
  unread: 'No se pudo leer cómo están. Prueba otra vez en un momento.',
  alarmOne: 'Un enlace dejó de responder',
  alarm: '{n} enlaces dejaron de responder',
} as const
