import type { MediaSort } from './guests/media'

// What a field says of itself beside what it takes: for forms, and for what keeps and sends its value.

/** What the form draws. Everything else about a field comes from its JSON Schema. */
export type Widget =
  | 'text'
  | 'secret'
  | 'number'
  | 'switch'
  | 'choice'
  | 'checks'
  | 'ref'
  | 'refs'
  | 'mac'
  | 'lines'
  | 'rows'
  | 'rate'
  | 'data'
  | 'instant'
  | 'timeZone'
  | 'country'
  | 'language'
  | 'weekday'
  | 'time'
  | 'block'
  | 'prose'
  | 'colour'
  | 'source'
  | 'date'
  | 'daySlots'
  | 'weekSlots'
  | 'device'
  | 'ports'
  | 'file'
  | 'files'

/** What a keyboard on a phone shows first; `plain` is text of machines, which no spelling is proposed for. */
export type InputMode = 'email' | 'url' | 'plain'

/** What the network's devices have, as they were last seen: their interfaces, those that lead to the internet, addresses of connected clients. */
export type Source = 'interfaces' | 'uplinks' | 'clients'

export type FieldMeta = {
  widget: Widget
  /** Key in locales/en/form.json `units`. */
  unit?: string
  /** Rule id of the specification. */
  rule?: string
  /** Kind that a `ref` points at. */
  kind?: string
  /** Says who a device is: a single has it for a device alone, never for many. */
  deviceOnly?: true
  /** Fields that say where a secret is sent to: it is kept only while they are. */
  sentTo?: readonly string[]
  /** A secret that nobody has to know: the manager makes one where none is given. */
  made?: true
  /** A secret that people type: a form offers to make a strong one that can be read aloud. */
  generated?: true
  /** A VLAN that a form offers by the LAN that has it. */
  ofLan?: true
  /** A channel of this band, 0 for none in particular: a form offers those that are allowed. */
  band?: '2g' | '5g' | '6g'
  /** A choice is a list to open, not cards. */
  menu?: true
  /** What a file of the field is. */
  sort?: MediaSort
  /** How the text is typed. */
  input?: InputMode
  /** Where the values of a `source` come from. */
  source?: Source
  /** Rows that are each of one device of the network, in their column `device`. */
  perDevice?: true
}
