import { type Area, exactly, named, verifyAll } from '../area/area'
import { onceUp, startPath, unitPath } from '../base/oneshot'
import { portPath } from './ports'
import { portsKept, portsName, portsPath, portsScript } from './ports-script'

const unit = `${portsName}.service`
const later = '/run/lanward-ports-back.sh'

// Without its script nothing is set any more, and what ports were before is still to be put back. At boot neither the
// interfaces nor Open vSwitch are there yet: a unit of this boot alone does it when they are.
const settle = `if [ -e ${portsPath} ]; then
if [ "$mode" != boot ]; then sh ${portsPath} || return 1; fi
serve restart ${unit} || return 1
else
serve stop ${unit} 2>/dev/null
if [ -d ${portsKept} ]; then
cat >${later} <<'LANWARD_PORTS'
${portsScript}LANWARD_PORTS
if [ "$mode" = boot ]; then ${onceUp(`${portsName}-back`, later)}
else sh ${later} || return 1; fi
fi
fi`

/** Links, VLANs and limits of a switch's ports. */
export const portsArea: Area = {
  files: [named(portPath('*')), exactly(portsPath), exactly(unitPath(portsName)), exactly(startPath(portsName))],
  settle: () => [settle],
  verify: (session, blocks) =>
    blocks.length === 0
      ? Promise.resolve([])
      : verifyAll(
          session,
          [{ line: `systemctl -q is-active ${unit}`, warning: { code: 'portsDown', kind: 'portProfile' } }],
          15_000,
        ),
}
