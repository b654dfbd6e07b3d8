import { strToU8, zipSync } from 'fflate'

/** LinkedIn's ten files as its basic copy has them, with quotes, line breaks, doubles and months in two languages. */
export const linkedInTables: Readonly<Record<string, string>> = {
  'Profile.csv': `First Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,Zip Code,Geo Location,Twitter Handles,Websites,Instant Messengers
Lucía,Ejemplo Prueba,Soltera,"Calle Falsa 123, 2º B","Mar 3, 1996",Líder técnica,"Hago productos web.
Con «comillas», ""dobles"" y comas, muchas.",Software,1000,Montevideo,[@lucia_prueba],"[PERSONAL:https://lucia.example/],[PORTFOLIO:obra.example/lucia],[OTHER:javascript:alert(1)]",lucia@chat.example
`,
  'Positions.csv': `Company Name,Title,Description,Location,Started On,Finished On
Nube Ficticia,Líder técnica,"Lidero un equipo de cuatro personas.
Migramos el panel a React, ""sin parar"".",Remoto,Mar 2024,
Taller Prueba,Docente,"Material, clases y seguimiento.",Montevideo,agosto 2014,febrero 2016
Taller Prueba,Docente,"Material, clases y seguimiento.",Montevideo,agosto 2014,febrero 2016
Taller Prueba,Coordinadora,Coordinación del equipo docente.,,mar. de 2016,2017
`,
  'Education.csv': `School Name,Start Date,End Date,Notes,Degree Name,Activities
Universidad Inventada,2012,2016,"Promedio 9, con honores",Ingeniería en Computación,"Coro, radio"
Instituto Sin Título,2010,,,,
`,
  'Skills.csv': 'Name\nTypeScript\nPostgreSQL\ntypescript\n"C++, moderno"\n',
  'Languages.csv':
    'Name,Proficiency\nEspañol,Native or bilingual proficiency\nInglés,Full professional proficiency\n',
  'Certifications.csv': `Name,Url,Authority,Started On,Finished On,License Number
Accesibilidad web,https://example.com/cert,Instituto Ejemplo,Nov 2021,Nov 2024,AB-1
`,
  'Projects.csv': `Title,Description,Url,Started On,Finished On
Turnero simple,Agenda de turnos.,https://example.com/turnero,Oct 2025,Oct 2025
Mapa de bibliotecas populares de la región,"Catálogo geográfico de 140 bibliotecas con horarios, accesos y préstamos, hecho con las propias bibliotecas y actualizado cada mes.",,Mar 2023,
`,
  'Volunteering.csv': `Company Name,Role,Cause,Started On,Finished On,Description
Radio de barrio,Operadora,Cultura,Ene 2019,Dic 2020,Transmisión y archivo.
`,
  'Email Addresses.csv': `Email Address,Confirmed,Primary,Updated On
vieja@example.com,Yes,No,1/1/20
lucia.prueba@example.com,Yes,Yes,1/1/24
`,
  'PhoneNumbers.csv': 'Extension,Number,Type\n12,+598 99 000 000,Mobile\n',
}

/** A copy with these files, in a folder and under names of other cases. */
export function linkedInZip(
  tables: Readonly<Record<string, string | Uint8Array>> = linkedInTables,
) {
  const files = Object.entries(tables).map(([name, text], i) => [
    i % 2 === 0
      ? `Basic_LinkedInDataExport/${name}`
      : `Basic_LinkedInDataExport/${name.toUpperCase()}`,
    typeof text === 'string' ? strToU8(text) : text,
  ])
  return Buffer.from(zipSync(Object.fromEntries(files) as Record<string, Uint8Array>))
}
