// WiFi4EU of the European Commission: what its rules want on the page that guests sign in on.

/** The languages of its banner: those of the Union. */
export const wifi4euLanguages = [
  ...(['bg', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fi', 'fr', 'ga', 'hr'] as const),
  ...(['hu', 'it', 'lt', 'lv', 'mt', 'nl', 'pl', 'pt', 'ro', 'sk', 'sl', 'sv'] as const),
] as const

/** Where script and banner come from, and guests are counted. */
export const wifi4euHost = 'collection.wifi4eu.ec.europa.eu'
