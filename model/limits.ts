/** Every constant of the specification (2-rules.md sections 5, 8.2, 9) and of this product, once, the unit in the name. */
export const limits = {
  pageSizes: [10, 20, 30, 50, 100, 200],
  bodyBytes: 1024 * 1024,
  /** Of calls that anybody may make. */
  openBodyBytes: 128 * 1024,
  /** Of a guest's form. */
  portalBodyBytes: 16 * 1024,
  textCharacters: 255,
  networkNameCharacters: 64,
  networks: 500,
  tagCharacters: 32,
  groupDepth: 8,
  groupNameCharacters: 64,
  roleNameCharacters: 64,
  customRoles: 100,
  companies: 100,
  accounts: 1000,
  accountCharacters: 64,
  companyCharacters: 128,
  addressCharacters: 255,
  activationDays: 3,
  resendSeconds: 60,
  signUps: 200,
  signUpLettersPerHour: 60,
  deviceNameCharacters: 64,
  deviceRenameCharacters: 32,
  clientNoteCharacters: 128,
  /** Whose window is gone blinks no longer. */
  locateSeconds: 120,
  devices: 50_000,
  /** Whose interfaces stand in one answer to a collector: a quarter of a million series. */
  metricsDevices: 1000,
  /** That one call is about. */
  devicesAtOnce: 10_000,
  sweepAddresses: 1024,
  /** SNMP logins that a sweep sends to every address. */
  loginsInSweep: 4,
  /** Logins of one adoption that are tried in turn. */
  loginsInTurn: 8,
  importRows: 5000,
  ssidsPerNetwork: 16,
  lansPerNetwork: 64,
  wansPerNetwork: 8,
  routesPerNetwork: 128,
  internetSources: 32,
  staticLeases: 256,
  dhcpOptions: 32,
  ssidsPerVlan: 4,
  /** Rule W14. */
  portals: 256,
  walledGarden: 64,
  splashes: 64,
  /** Of all pictures, videos and own pages of a network. */
  portalFilesBytes: 200 * 1024 * 1024,
  adImages: 10,
  splashTitleCharacters: 80,
  splashTextCharacters: 1000,
  termsCharacters: 4000,
  /** A guest's answers fit into the portal's form with all that goes along. */
  portalQuestions: 8,
  answerCharacters: 100,
  choicesCharacters: 500,
  mailTextCharacters: 1000,
  smsGateways: 16,
  /** Two messages of 160 letters, with what the code adds. */
  smsTextCharacters: 300,
  smsBodyCharacters: 2000,
  smsHeaders: 16,
  smsSecretCharacters: 512,
  callingCodes: 64,
  /** Rule W13: in the lists of Wi-Fi networks and the block list together. */
  macsPerNetwork: 1000,
  timePolicies: 32,
  timePolicyMacs: 256,
  radiusServers: 32,
  radiusUsers: 2000,
  radiusClients: 256,
  privateKeys: 1000,
  portProfiles: 64,
  portsPerProfile: 128,
  firewallRules: 500,
  addressesPerRule: 64,
  portForwards: 256,
  bandwidthRules: 256,
  schedules: 64,
  scheduleDates: 64,
  ntpServers: 4,
  logRules: 50,
  logRuleNameCharacters: 64,
  logRuleMessageCharacters: 200,
  /** Lines of one device that a rule may ask for. */
  logRuleLines: 1000,
  /** Minutes that a capture of syslog may go on, how many go on at once in a network, and how many of its former are kept. */
  syslogCapture: { minutes: { min: 1, max: 1440, default: 30 }, running: 5, kept: 50 },
  logDays: { min: 1, max: 3660, default: 31 },
  logMegabytes: { min: 100, max: 1_000_000, default: 2000 },
  /** All records of traffic together; and of one page of them, and of one request to a log server. */
  trafficRecordMegabytes: 2000,
  trafficRecordsOnPage: 200,
  trafficRecordsSent: 500,
  /** Of whom a log server's certificate is to be signed by. */
  syslogCaCharacters: 50 * 1024,
  sshKeys: 16,
  passwordCharacters: { min: 8, max: 16 },
  /** Of a device, rule A10. */
  devicePasswordCharacters: { min: 8, max: 32 },
  sessionTimeoutMinutes: { min: 5, max: 1440, default: 60 },
  wrongPasswordsBeforeLock: 3,
  /** Failures in a row after which the sign-in asks for the picture's code. */
  failuresBeforeCode: 2,
  /** Wrong codes from a mail, after which another has to be asked for. */
  codeTries: 3,
  codeMinutes: 10,
  resetMinutes: 60,
  mailsWaiting: 1000,
  mailsFailed: 100,
  mailHours: 24,
  /** Letters about alerts that may wait for each company; what is raised meanwhile goes into the next ones. */
  alertLettersWaiting: 100,
  noticeRecipients: 20,
  /** Of an address that letters are sent to, rule A19. */
  receiverCharacters: 64,
  noticeTests: { most: 10, minutes: 10 },
  noticeTargets: 20,
  maintenanceWindows: 50,
  /** Kept of each target, what waits included; and for how long. */
  noticeDeliveries: 200,
  noticeDays: 30,
  /** Letters about one offer of a network; offers that letters are written about, for each company. */
  offerMails: 20,
  offersToldAnHour: 10,
  /** Of all files that people gave to the manager: with them a backup still is one that can be uploaded. */
  files: 2000,
  filesBytes: 2 * 1024 * 1024 * 1024,
  feedbackCharacters: 4000,
  feedbackPerHour: 20,
  feedbackKept: 50,
  lockMinutes: 30,
  accountWideFailures: 30,
  passwordNoticeDays: { max: 3650, default: 90 },
  mfaPendingMinutes: 10,
  recoveryCodes: 10,
  samlMinutes: 10,
  samlAnswersPerTry: 5,
  samlSkewSeconds: 60,
  roleLines: 100,
  ownSecretCharacters: 1024,
  directoryTextCharacters: 1024,
  directoryCaCharacters: 64 * 1024,
  directoryGroups: 1000,
  directoryPasswordCharacters: 256,
  samlIdentifierCharacters: 64,
  samlMetadataCharacters: 512 * 1024,
  samlUrlCharacters: 1024,
  samlCertificates: 8,
  samlCertificateCharacters: 64 * 1024,
  samlAnswerCharacters: 112 * 1024,
  whitelistEntries: 256,
  apiKeysPerAccount: 20,
  apiKeyNameCharacters: 64,
  apiKeyDays: 3650,
  /** Calls that a key may make at once, and how many come back each second. */
  apiBurst: 60,
  apiPerSecond: 10,
  webhooksPerAccount: 20,
  webhookUrlCharacters: 2048,
  webhookSegments: 64,
  webhookSeconds: 10,
  /** Kept of each webhook, what waits included; and for how long. */
  webhookDeliveries: 1000,
  webhookDays: 30,
  webhookBodyBytes: 64 * 1024,
  webhookAnswerBytes: 2048,
  /** Deliveries given up one after the other until it is paused. */
  webhookFailures: 10,
  /** Guests of a network that are in or were; and how long it is kept of one that was. */
  guestRecords: 20_000,
  guestDays: 30,
  /** Devices that a network's portal asked how they want to come in. */
  portalVisits: 20_000,
  /** Devices that a network's portal lets in by no means. */
  guestBlocks: 1000,
  guestNoteCharacters: 64,
  /** No session is extended beyond this from now on. */
  guestExtensionDays: 365,
  voucherGroups: 500,
  voucherGroupNameCharacters: 64,
  vouchersPerGroup: 10_000,
  /** What was pressed at a network's front desk is known so far back. */
  deskActs: 20_000,
  deskNoteCharacters: 64,
  deskLettersAnHour: 120,
  voucherTemplates: 100,
  templateCharacters: 120,
  /** As base64 in its data address. */
  templateLogoCharacters: 400_000,
  /** Made at once, rule G9. */
  voucherQuantity: { min: 1, max: 1000 },
  /** Rule G10, 0: any number. */
  voucherDevices: { min: 0, max: 10_000 },
  /** Rule G12. */
  voucherValidityDays: { min: 1, max: 1095 },
  /** What is added to a voucher's time in all: as much as a group may give (rule G11). */
  voucherAddedSeconds: 365 * 86_400,
  /** Rule G13: bytes, and rates in Kbps or Mbps. */
  voucherMegabytes: { min: 1, max: 1_048_576 },
  voucherRate: { min: 1, max: 1023 },
  /** Rule G15, 0: never. */
  resetDays: { min: 0, max: 365 },
  /** In each network: links set by hand, and nodes that somebody put somewhere. */
  topologyLinks: 2000,
  topologyPlaces: 5000,
  pollSeconds: 60,
  wanHealthHours: 12,
  revertWindowSeconds: 90,
  pushesAtOnce: 20,
  configurationsPerDevice: 50,
} as const
