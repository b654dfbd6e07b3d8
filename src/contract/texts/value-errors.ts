/** What is said of a value that is no free text; it travels with the code that checks such values. */
export const valueErrors = {
  id: 'El identificador no es válido.',
  setting: 'Este valor no se puede guardar.',
  color: 'Escribe el color con seis cifras hexadecimales.',
  number: 'Escribe un número entero de {min} a {max}.',
  urls: 'Escribe como máximo {max} enlaces válidos.',
  date: 'Escribe una fecha que exista, por ejemplo 31 de diciembre de 2026.',
  birth:
    'Escribe el día en que naciste, por ejemplo 14 de marzo de 1992: uno anterior a hoy, de hace {max} años como mucho.',
} as const
