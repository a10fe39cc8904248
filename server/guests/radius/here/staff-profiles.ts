import { createHash } from 'node:crypto'
import { derOf } from '@/server/kernel/certificates/read'

// What phones and laptops are given so that they join a network with enterprise security and no other that has its name:
// the authority to trust, and the name that the server has to show. Nobody's password is in it. Pure.

export type StaffNetwork = {
  name: string
  hidden: boolean
  /** Of the authority, PEM. */
  authority: string
  /** That the server shows. */
  server: string
}

const xml = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\u{10ffff}]/gu, '')

/** The same for the same network: what was installed once is replaced, not doubled. */
function uuid(...parts: readonly string[]): string {
  const digits = createHash('sha256').update(parts.join('\0')).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

const peap = 25

/** A configuration profile of Apple's systems: the phone asks for name and password when it is installed. */
export function appleProfile({ name, hidden, authority, server }: StaffNetwork): string {
  const [whole, wifi, root] = ['profile', 'wifi', 'authority'].map(part => uuid(part, name, authority))
  const payload = (type: string, id: string | undefined, title: string) => `
			<key>PayloadType</key><string>${type}</string>
			<key>PayloadVersion</key><integer>1</integer>
			<key>PayloadIdentifier</key><string>lanward.wifi.${id}</string>
			<key>PayloadUUID</key><string>${id}</string>
			<key>PayloadDisplayName</key><string>${xml(title)}</string>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>PayloadContent</key>
	<array>
		<dict>${payload('com.apple.security.root', root, `${name}: certificate authority`)}
			<key>PayloadCertificateFileName</key><string>authority.cer</string>
			<key>PayloadContent</key><data>${derOf(authority).toString('base64')}</data>
		</dict>
		<dict>${payload('com.apple.wifi.managed', wifi, name)}
			<key>SSID_STR</key><string>${xml(name)}</string>
			<key>HIDDEN_NETWORK</key><${hidden}/>
			<key>AutoJoin</key><true/>
			<key>EncryptionType</key><string>WPA2</string>
			<key>EAPClientConfiguration</key>
			<dict>
				<key>AcceptEAPTypes</key><array><integer>${peap}</integer></array>
				<key>PayloadCertificateAnchorUUID</key><array><string>${root}</string></array>
				<key>TLSTrustedServerNames</key><array><string>${xml(server)}</string></array>
				<key>TLSMinimumVersion</key><string>1.2</string>
			</dict>
		</dict>
	</array>${payload('Configuration', whole, name).replaceAll('\n\t\t\t', '\n\t')}
	<key>PayloadScope</key><string>System</string>
</dict>
</plist>
`
}

const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex').toUpperCase()

/** Windows knows an authority by the sum of its certificate. */
const thumbprint = (authority: string) =>
  createHash('sha1')
    .update(derOf(authority))
    .digest('hex')
    .replaceAll(/(..)(?=.)/g, '$1 ')

/** What `netsh wlan add profile` reads (WLAN_profile and its EAP schemas). */
export const windowsXml = (one: StaffNetwork): string => `<?xml version="1.0"?>
<WLANProfile xmlns="http://www.microsoft.com/networking/WLAN/profile/v1">
  <name>${xml(one.name)}</name>
  <SSIDConfig>
    <SSID><hex>${hex(one.name)}</hex><name>${xml(one.name)}</name></SSID>
    <nonBroadcast>${one.hidden}</nonBroadcast>
  </SSIDConfig>
  <connectionType>ESS</connectionType>
  <connectionMode>auto</connectionMode>
  <MSM><security>
    <authEncryption><authentication>WPA2</authentication><encryption>AES</encryption><useOneX>true</useOneX></authEncryption>
    <OneX xmlns="http://www.microsoft.com/networking/OneX/v1">
      <authMode>user</authMode>
      <EAPConfig><EapHostConfig xmlns="http://www.microsoft.com/provisioning/EapHostConfig">
        <EapMethod>
          <Type xmlns="http://www.microsoft.com/provisioning/EapCommon">${peap}</Type>
          <VendorId xmlns="http://www.microsoft.com/provisioning/EapCommon">0</VendorId>
          <VendorType xmlns="http://www.microsoft.com/provisioning/EapCommon">0</VendorType>
          <AuthorId xmlns="http://www.microsoft.com/provisioning/EapCommon">0</AuthorId>
        </EapMethod>
        <Config><Eap xmlns="http://www.microsoft.com/provisioning/BaseEapConnectionPropertiesV1">
          <Type>${peap}</Type>
          <EapType xmlns="http://www.microsoft.com/provisioning/MsPeapConnectionPropertiesV1">
            <ServerValidation>
              <DisableUserPromptForServerValidation>true</DisableUserPromptForServerValidation>
              <ServerNames>${xml(one.server)}</ServerNames>
              <TrustedRootCA>${thumbprint(one.authority)}</TrustedRootCA>
            </ServerValidation>
            <FastReconnect>true</FastReconnect>
            <InnerEapOptional>false</InnerEapOptional>
            <Eap xmlns="http://www.microsoft.com/provisioning/BaseEapConnectionPropertiesV1">
              <Type>26</Type>
              <EapType xmlns="http://www.microsoft.com/provisioning/MsChapV2ConnectionPropertiesV1"><UseWinLogonCredentials>false</UseWinLogonCredentials></EapType>
            </Eap>
            <EnableQuarantineChecks>false</EnableQuarantineChecks>
            <RequireCryptoBinding>false</RequireCryptoBinding>
          </EapType>
        </Eap></Config>
      </EapHostConfig></EAPConfig>
    </OneX>
  </security></MSM>
</WLANProfile>
`

/** A here-string of PowerShell ends at a line that begins with '@; nothing in it is looked at. */
const verbatim = (text: string) => text.replaceAll(/^'@/gm, '&#39;@')

/** Run by the person who signs in: the authority for them alone, then the network. */
export const windowsScript = (one: StaffNetwork): string =>
  `# Wi-Fi of the staff. Run it in PowerShell; Windows asks whether to trust the certificate authority.
$ErrorActionPreference = 'Stop'
$folder = Join-Path $env:TEMP ([guid]::NewGuid())
New-Item -ItemType Directory -Path $folder | Out-Null
try {
  $authority = Join-Path $folder 'authority.cer'
  [IO.File]::WriteAllBytes($authority, [Convert]::FromBase64String('${derOf(one.authority).toString('base64')}'))
  Import-Certificate -FilePath $authority -CertStoreLocation Cert:\\CurrentUser\\Root | Out-Null
  $wifi = Join-Path $folder 'wifi.xml'
  @'
${verbatim(windowsXml(one))}'@ | Set-Content -Path $wifi -Encoding UTF8
  netsh wlan add profile filename="$wifi" user=current
} finally {
  Remove-Item -Recurse -Force $folder
}
`.replaceAll('\n', '\r\n')

const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** NetworkManager; the desktop asks for the password when it connects first. */
export const linuxScript = ({ name, hidden, authority, server }: StaffNetwork): string => `#!/bin/sh
# Wi-Fi of the staff for Linux with NetworkManager. Usage: sh this-file NAME
set -eu
[ $# = 1 ] || { echo "usage: sh $0 NAME (as you sign in)" >&2; exit 64; }
folder=\${XDG_DATA_HOME:-$HOME/.local/share}/lanward
mkdir -p "$folder"
cat >"$folder/authority-${uuid('file', name, authority)}.crt" <<'lanward-authority'
${authority.trim()}
lanward-authority
nmcli connection delete ${shell(name)} >/dev/null 2>&1 || true
nmcli connection add type wifi con-name ${shell(name)} ssid ${shell(name)} 802-11-wireless.hidden ${hidden ? 'yes' : 'no'} \\
  wifi-sec.key-mgmt wpa-eap 802-1x.eap peap 802-1x.phase2-auth mschapv2 802-1x.identity "$1" \\
  802-1x.ca-cert "$folder/authority-${uuid('file', name, authority)}.crt" 802-1x.domain-match ${shell(server)} \\
  802-1x.password-flags 1
`
