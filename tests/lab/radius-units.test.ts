// The package's units for FreeRADIUS under a real systemd: laid as the package lays them, started, reloaded, killed and
// stopped by what the manager writes.
import { readFileSync } from 'node:fs'
import { radiusdConf, usersFile } from '@/server/guests/radius/here/render'
import { makeAuthority, sign } from '@/server/networks/certificates/x509'
import { root } from '../appliance/_manager'
import { lab, until } from './_lab'

const debian = (name: string) => readFileSync(`${root}/appliance/package/debian/${name}`, 'utf8')
const units = ['lanward-radius.service', 'lanward-radius-apply.service', 'lanward-radius-apply.path']
const conf = '/var/lib/lanward-radius/conf'
const place = { host: '127.0.0.1', secret: 'harbour-wall' }

async function must(line: string, input = ''): Promise<string> {
  const { code, stdout, stderr } = await lab.in('ap1', ['sh', '-c', line], { input })
  if (code !== 0) throw new Error(`${line}: ${code}\n${stdout}${stderr}`)
  return stdout.trim()
}
const shown = (property: string) => must(`systemctl show -P ${property} lanward-radius`)
/** As the manager writes: with its own user, then `apply`. */
async function put(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files))
    await must(`cat >${conf}/${name} && chown lanward ${conf}/${name} && chmod 640 ${conf}/${name}`, text)
  await must(`date +%s%N >${conf}/apply`)
}
const person = (name: string) => ({ id: `id-${name}`, network: 1, name, password: 'anchor chain', serials: [] })
async function isKnown(name: string): Promise<boolean> {
  const words = `User-Name=${name},User-Password="anchor chain",NAS-Identifier=1`
  const { stdout } = await lab.in(
    'ap1',
    ['radclient', '-t', '1', '-r', '1', `${place.host}:1812`, 'auth', place.secret],
    {
      input: `${words}\n`,
    },
  )
  return /Received Access-Accept/.test(stdout)
}

beforeAll(async () => {
  await lab.up()
  for (const name of units) await must(`cat >/etc/systemd/system/${name}`, debian(name))
  await must('mkdir -p /usr/lib/lanward-radius && cat >/usr/lib/lanward-radius/apply', debian('radius-apply'))
  await must(
    'chmod 755 /usr/lib/lanward-radius/apply; grep -q "$(hostname)" /etc/hosts || echo "127.0.1.1 $(hostname)" >>/etc/hosts',
  )
  // The very lines by which the package makes the users and folders.
  const lines = debian('postinst').split('\n')
  const own = lines.filter(line => /adduser --system|install -d .*\/var\/lib\/lanward-radius/.test(line))
  expect(own).toHaveLength(5)
  await must(own.join('\n'))
  await must('systemctl daemon-reload && systemctl enable --quiet lanward-radius lanward-radius-apply.path')
  await must('systemctl start lanward-radius-apply.path')
})
afterAll(() => lab.reset('ap1'))

test('turned off it does not run, whoever starts it', async () => {
  await must('systemctl start lanward-radius')
  expect(await shown('ActiveState')).toBe('inactive')
})

test('turned on it answers, as a user of its own, and notes where the manager may read', async () => {
  const authority = await makeAuthority('Harbour House', Date.now())
  const server = await sign(
    authority,
    {
      name: 'radius.lanward.internal',
      use: 'server',
      days: 30,
      names: [{ type: 'dns', value: 'radius.lanward.internal' }],
    },
    Date.now(),
  )
  const asker = { id: 'device_1', address: '10.77.0.2', secret: 'another-secret', network: 1, organization: 1 }
  await put({
    '1.pem': server.key + server.certificate,
    '1-authority.pem': authority.certificate,
    'radiusd.conf': radiusdConf({ askers: [asker], organizations: [1], ownSecret: place.secret }),
    users: usersFile([person('alice')]),
    on: '',
  })
  await until(() => isKnown('alice')).catch(async (error: Error) => {
    throw new Error(
      `${error.message}\n${(await lab.sh('ap1', 'journalctl -n 30 --no-pager; cat /var/lib/lanward-radius/run/log')).stdout}`,
    )
  })
  expect(await must(`ps -o user= -p ${await shown('MainPID')} | cut -c1-7`)).toBe('lanward')
  expect(await must('stat -c "%U %G %a" /var/lib/lanward-radius/run/log')).toMatch(/^lanward-radius lanward 6[04]0$/)
  expect(await must(`stat -c "%U %G" ${conf}/users`)).toBe('lanward lanward-radius')
})

test('another user is known without a new start', async () => {
  const before = await shown('MainPID')
  // Within some seconds of its start it would not listen, and is started anew.
  await until(async () => Number(await must('echo $(( $(date +%s) - $(cat /run/lanward-radius.started.told) ))')) > 6)
  await put({ users: usersFile([person('bob')]) })
  await until(() => isKnown('bob'))
  expect(await isKnown('alice')).toBe(false)
  expect(await shown('MainPID')).toBe(before)
})

test('two changes in a row are both known', async () => {
  await put({ users: usersFile([person('carol')]) })
  await put({ users: usersFile([person('dora')]) })
  await until(() => isKnown('dora'))
  expect(await isKnown('carol')).toBe(false)
})

test('killed it is back by itself', async () => {
  const before = await shown('MainPID')
  await must(`kill -KILL ${before}`)
  await until(async () => ![before, '0'].includes(await shown('MainPID')) && isKnown('dora'))
  expect(Number(await shown('NRestarts'))).toBeGreaterThan(0)
})

test('turned off it ends, and stays so after a boot', async () => {
  await must(`rm ${conf}/on && date +%s%N >${conf}/apply`)
  await until(async () => (await shown('ActiveState')) === 'inactive')
  await lab.reboot('ap1')
  expect(await shown('ActiveState')).toBe('inactive')
  expect(await must('systemctl is-active lanward-radius-apply.path')).toBe('active')
})
