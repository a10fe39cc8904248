import { steering as kind, type SteeringFields } from '@/model/wifi/steering'
import type { DesiredDocument, Warning } from '../driver'
import type { WarningCode } from '../words'
import { switchedOn } from './documents'

/** How clients are to be steered, where they are. */
export const steeringSettings = (documents: readonly DesiredDocument[]) => switchedOn<SteeringFields>(kind, documents)

export const aboutSteering = { kind: kind.id, document: kind.id }
export const steeringWarning = (code: WarningCode): Warning => ({ ...aboutSteering, code })
