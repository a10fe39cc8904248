/**
 * The zones of the tz database (2025b, public domain): after each country (ISO 3166-1, `--`: none) its zones as
 * `name|short names over the year|other names`. The name is the database's own; runtimes list some zones by an old one.
 */
const table = `
-- Etc/GMT+1 Etc/GMT+10 Etc/GMT+11 Etc/GMT+12 Etc/GMT+2 Etc/GMT+3 Etc/GMT+4 Etc/GMT+5 Etc/GMT+6 Etc/GMT+7 Etc/GMT+8
Etc/GMT+9 Etc/GMT-1 Etc/GMT-10 Etc/GMT-11 Etc/GMT-12 Etc/GMT-13 Etc/GMT-14 Etc/GMT-2 Etc/GMT-3 Etc/GMT-4 Etc/GMT-5
Etc/GMT-6 Etc/GMT-7 Etc/GMT-8 Etc/GMT-9
UTC||Etc/GMT,Etc/GMT+0,Etc/GMT-0,Etc/GMT0,Etc/Greenwich,Etc/UCT,Etc/UTC,Etc/Universal,Etc/Zulu,GMT,GMT+0,GMT-0,GMT0,Greenwich,UCT,Universal,Zulu
AD Europe/Andorra|CET,CEST AE Asia/Dubai AF Asia/Kabul AG America/Antigua|AST AI America/Anguilla|AST AL
Europe/Tirane|CET,CEST AM Asia/Yerevan AO Africa/Luanda|WAT AQ Antarctica/Casey Antarctica/Davis
Antarctica/DumontDUrville Antarctica/Mawson Antarctica/McMurdo|NZDT,NZST|Antarctica/South_Pole Antarctica/Palmer
Antarctica/Rothera Antarctica/Syowa Antarctica/Troll Antarctica/Vostok AR
America/Argentina/Buenos_Aires||America/Buenos_Aires
America/Argentina/Catamarca||America/Argentina/ComodRivadavia,America/Catamarca
America/Argentina/Cordoba||America/Cordoba,America/Rosario America/Argentina/Jujuy||America/Jujuy
America/Argentina/La_Rioja America/Argentina/Mendoza||America/Mendoza America/Argentina/Rio_Gallegos
America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman
America/Argentina/Ushuaia AS Pacific/Pago_Pago|SST|Pacific/Samoa,US/Samoa AT Europe/Vienna|CET,CEST AU
Antarctica/Macquarie|AEDT,AEST Australia/Adelaide|ACDT,ACST|Australia/South
Australia/Brisbane|AEST|Australia/Queensland Australia/Broken_Hill|ACDT,ACST|Australia/Yancowinna
Australia/Darwin|ACST|Australia/North Australia/Eucla Australia/Hobart|AEDT,AEST|Australia/Currie,Australia/Tasmania
Australia/Lindeman|AEST Australia/Lord_Howe||Australia/LHI Australia/Melbourne|AEDT,AEST|Australia/Victoria
Australia/Perth|AWST|Australia/West Australia/Sydney|AEDT,AEST|Australia/ACT,Australia/Canberra,Australia/NSW AW
America/Aruba|AST AX Europe/Mariehamn|EET,EEST AZ Asia/Baku BA Europe/Sarajevo|CET,CEST BB America/Barbados|AST BD
Asia/Dhaka||Asia/Dacca BE Europe/Brussels|CET,CEST|CET,MET BF Africa/Ouagadougou|GMT BG Europe/Sofia|EET,EEST BH
Asia/Bahrain BI Africa/Bujumbura|CAT BJ Africa/Porto-Novo|WAT BL America/St_Barthelemy|AST BM Atlantic/Bermuda|AST,ADT
BN Asia/Brunei BO America/La_Paz BQ America/Kralendijk|AST BR America/Araguaina America/Bahia America/Belem
America/Boa_Vista America/Campo_Grande America/Cuiaba America/Eirunepe America/Fortaleza America/Maceio
America/Manaus||Brazil/West America/Noronha||Brazil/DeNoronha America/Porto_Velho America/Recife
America/Rio_Branco||America/Porto_Acre,Brazil/Acre America/Santarem America/Sao_Paulo||Brazil/East BS
America/Nassau|EST,EDT BT Asia/Thimphu||Asia/Thimbu BW Africa/Gaborone|CAT BY Europe/Minsk BZ America/Belize|CST CA
America/Atikokan|EST|America/Coral_Harbour America/Blanc-Sablon|AST America/Cambridge_Bay|MST,MDT America/Creston|MST
America/Dawson_Creek|MST America/Dawson|MST America/Edmonton|MST,MDT|America/Yellowknife,Canada/Mountain
America/Fort_Nelson|MST America/Glace_Bay|AST,ADT America/Goose_Bay|AST,ADT America/Halifax|AST,ADT|Canada/Atlantic
America/Inuvik|MST,MDT America/Iqaluit|EST,EDT|America/Pangnirtung America/Moncton|AST,ADT
America/Rankin_Inlet|CST,CDT America/Regina|CST|Canada/Saskatchewan America/Resolute|CST,CDT
America/St_Johns|NST,NDT|Canada/Newfoundland America/Swift_Current|CST
America/Toronto|EST,EDT|America/Montreal,America/Nipigon,America/Thunder_Bay,Canada/Eastern
America/Vancouver|PST,PDT|Canada/Pacific America/Whitehorse|MST|Canada/Yukon
America/Winnipeg|CST,CDT|America/Rainy_River,Canada/Central CC Indian/Cocos CD Africa/Kinshasa|WAT
Africa/Lubumbashi|CAT CF Africa/Bangui|WAT CG Africa/Brazzaville|WAT CH Europe/Zurich|CET,CEST CI Africa/Abidjan|GMT
CK Pacific/Rarotonga CL America/Coyhaique America/Punta_Arenas America/Santiago||Chile/Continental
Pacific/Easter||Chile/EasterIsland CM Africa/Douala|WAT CN
Asia/Shanghai|CST|Asia/Chongqing,Asia/Chungking,Asia/Harbin,PRC Asia/Urumqi||Asia/Kashgar CO America/Bogota CR
America/Costa_Rica|CST CU America/Havana|CST,CDT|Cuba CV Atlantic/Cape_Verde CW America/Curacao|AST CX
Indian/Christmas CY Asia/Famagusta|EET,EEST Asia/Nicosia|EET,EEST|Europe/Nicosia CZ Europe/Prague|CET,CEST DE
Europe/Berlin|CET,CEST Europe/Busingen|CET,CEST DJ Africa/Djibouti|EAT DK Europe/Copenhagen|CET,CEST DM
America/Dominica|AST DO America/Santo_Domingo|AST DZ Africa/Algiers|CET EC America/Guayaquil Pacific/Galapagos EE
Europe/Tallinn|EET,EEST EG Africa/Cairo|EET,EEST|Egypt EH Africa/El_Aaiun ER Africa/Asmara|EAT|Africa/Asmera ES
Africa/Ceuta|CET,CEST Atlantic/Canary|WET,WEST Europe/Madrid|CET,CEST ET Africa/Addis_Ababa|EAT FI
Europe/Helsinki|EET,EEST FJ Pacific/Fiji FK Atlantic/Stanley FM Pacific/Chuuk||Pacific/Truk,Pacific/Yap Pacific/Kosrae
Pacific/Pohnpei||Pacific/Ponape FO Atlantic/Faroe|WET,WEST|Atlantic/Faeroe FR Europe/Paris|CET,CEST GA
Africa/Libreville|WAT GB Europe/London|GMT,BST|Europe/Belfast,GB,GB-Eire GD America/Grenada|AST GE Asia/Tbilisi GF
America/Cayenne GG Europe/Guernsey|GMT,BST GH Africa/Accra|GMT GI Europe/Gibraltar|CET,CEST GL
America/Danmarkshavn|GMT America/Nuuk||America/Godthab America/Scoresbysund America/Thule|AST,ADT GM Africa/Banjul|GMT
GN Africa/Conakry|GMT GP America/Guadeloupe|AST GQ Africa/Malabo|WAT GR Europe/Athens|EET,EEST|EET GS
Atlantic/South_Georgia GT America/Guatemala|CST GU Pacific/Guam GW Africa/Bissau|GMT GY America/Guyana HK
Asia/Hong_Kong|HKT|Hongkong HN America/Tegucigalpa|CST HR Europe/Zagreb|CET,CEST HT America/Port-au-Prince|EST,EDT HU
Europe/Budapest|CET,CEST ID Asia/Jakarta|WIB Asia/Jayapura|WIT Asia/Makassar|WITA|Asia/Ujung_Pandang
Asia/Pontianak|WIB IE Europe/Dublin|GMT,IST|Eire IL Asia/Jerusalem|IST,IDT|Asia/Tel_Aviv,Israel IM
Europe/Isle_of_Man|GMT,BST IN Asia/Kolkata|IST|Asia/Calcutta IO Indian/Chagos IQ Asia/Baghdad IR Asia/Tehran||Iran IS
Atlantic/Reykjavik|GMT|Iceland IT Europe/Rome|CET,CEST JE Europe/Jersey|GMT,BST JM America/Jamaica|EST|Jamaica JO
Asia/Amman JP Asia/Tokyo|JST|Japan KE Africa/Nairobi|EAT KG Asia/Bishkek KH Asia/Phnom_Penh KI
Pacific/Kanton||Pacific/Enderbury Pacific/Kiritimati Pacific/Tarawa KM Indian/Comoro|EAT KN America/St_Kitts|AST KP
Asia/Pyongyang|KST KR Asia/Seoul|KST|ROK KW Asia/Kuwait KY America/Cayman|EST KZ Asia/Almaty Asia/Aqtau Asia/Aqtobe
Asia/Atyrau Asia/Oral Asia/Qostanay Asia/Qyzylorda LA Asia/Vientiane LB Asia/Beirut|EET,EEST LC America/St_Lucia|AST
LI Europe/Vaduz|CET,CEST LK Asia/Colombo LR Africa/Monrovia|GMT LS Africa/Maseru|SAST LT Europe/Vilnius|EET,EEST LU
Europe/Luxembourg|CET,CEST LV Europe/Riga|EET,EEST LY Africa/Tripoli|EET|Libya MA Africa/Casablanca MC
Europe/Monaco|CET,CEST MD Europe/Chisinau|EET,EEST|Europe/Tiraspol ME Europe/Podgorica|CET,CEST MF America/Marigot|AST
MG Indian/Antananarivo|EAT MH Pacific/Kwajalein||Kwajalein Pacific/Majuro MK Europe/Skopje|CET,CEST ML
Africa/Bamako|GMT|Africa/Timbuktu MM Asia/Yangon||Asia/Rangoon MN Asia/Hovd
Asia/Ulaanbaatar||Asia/Choibalsan,Asia/Ulan_Bator MO Asia/Macau|CST|Asia/Macao MP Pacific/Saipan MQ
America/Martinique|AST MR Africa/Nouakchott|GMT MS America/Montserrat|AST MT Europe/Malta|CET,CEST MU Indian/Mauritius
MV Indian/Maldives MW Africa/Blantyre|CAT MX America/Bahia_Banderas|CST America/Cancun|EST America/Chihuahua|CST
America/Ciudad_Juarez|MST,MDT America/Hermosillo|MST America/Matamoros|CST,CDT America/Mazatlan|MST|Mexico/BajaSur
America/Merida|CST America/Mexico_City|CST|Mexico/General America/Monterrey|CST America/Ojinaga|CST,CDT
America/Tijuana|PST,PDT|America/Ensenada,America/Santa_Isabel,Mexico/BajaNorte MY Asia/Kuala_Lumpur Asia/Kuching MZ
Africa/Maputo|CAT NA Africa/Windhoek|CAT NC Pacific/Noumea NE Africa/Niamey|WAT NF Pacific/Norfolk NG Africa/Lagos|WAT
NI America/Managua|CST NL Europe/Amsterdam|CET,CEST NO Europe/Oslo|CET,CEST NP Asia/Kathmandu||Asia/Katmandu NR
Pacific/Nauru NU Pacific/Niue NZ Pacific/Auckland|NZDT,NZST|NZ Pacific/Chatham||NZ-CHAT OM Asia/Muscat PA
America/Panama|EST|EST PE America/Lima PF Pacific/Gambier Pacific/Marquesas Pacific/Tahiti PG Pacific/Bougainville
Pacific/Port_Moresby PH Asia/Manila|PST PK Asia/Karachi|PKT PL Europe/Warsaw|CET,CEST|Poland PM America/Miquelon PN
Pacific/Pitcairn PR America/Puerto_Rico|AST PS Asia/Gaza|EET,EEST Asia/Hebron|EET,EEST PT Atlantic/Azores
Atlantic/Madeira|WET,WEST Europe/Lisbon|WET,WEST|Portugal,WET PW Pacific/Palau PY America/Asuncion QA Asia/Qatar RE
Indian/Reunion RO Europe/Bucharest|EET,EEST RS Europe/Belgrade|CET,CEST RU Asia/Anadyr Asia/Barnaul Asia/Chita
Asia/Irkutsk Asia/Kamchatka Asia/Khandyga Asia/Krasnoyarsk Asia/Magadan Asia/Novokuznetsk Asia/Novosibirsk Asia/Omsk
Asia/Sakhalin Asia/Srednekolymsk Asia/Tomsk Asia/Ust-Nera Asia/Vladivostok Asia/Yakutsk Asia/Yekaterinburg
Europe/Astrakhan Europe/Kaliningrad|EET Europe/Kirov|MSK Europe/Moscow|MSK|W-SU Europe/Samara Europe/Saratov
Europe/Ulyanovsk Europe/Volgograd|MSK RW Africa/Kigali|CAT SA Asia/Riyadh SB Pacific/Guadalcanal SC Indian/Mahe SD
Africa/Khartoum|CAT SE Europe/Stockholm|CET,CEST SG Asia/Singapore||Singapore SH Atlantic/St_Helena|GMT SI
Europe/Ljubljana|CET,CEST SJ Arctic/Longyearbyen|CET,CEST|Atlantic/Jan_Mayen SK Europe/Bratislava|CET,CEST SL
Africa/Freetown|GMT SM Europe/San_Marino|CET,CEST SN Africa/Dakar|GMT SO Africa/Mogadishu|EAT SR America/Paramaribo SS
Africa/Juba|CAT ST Africa/Sao_Tome|GMT SV America/El_Salvador|CST SX America/Lower_Princes|AST SY Asia/Damascus SZ
Africa/Mbabane|SAST TC America/Grand_Turk|EST,EDT TD Africa/Ndjamena|WAT TF Indian/Kerguelen TG Africa/Lome|GMT TH
Asia/Bangkok TJ Asia/Dushanbe TK Pacific/Fakaofo TL Asia/Dili TM Asia/Ashgabat||Asia/Ashkhabad TN Africa/Tunis|CET TO
Pacific/Tongatapu TR Europe/Istanbul||Asia/Istanbul,Turkey TT America/Port_of_Spain|AST TV Pacific/Funafuti TW
Asia/Taipei|CST|ROC TZ Africa/Dar_es_Salaam|EAT UA Europe/Kyiv|EET,EEST|Europe/Kiev,Europe/Uzhgorod,Europe/Zaporozhye
Europe/Simferopol|MSK UG Africa/Kampala|EAT UM Pacific/Midway|SST Pacific/Wake US
America/Adak|HST,HDT|America/Atka,US/Aleutian America/Anchorage|AKST,AKDT|US/Alaska America/Boise|MST,MDT
America/Chicago|CST,CDT|CST6CDT,US/Central America/Denver|MST,MDT|America/Shiprock,MST7MDT,Navajo,US/Mountain
America/Detroit|EST,EDT|US/Michigan
America/Indiana/Indianapolis|EST,EDT|America/Fort_Wayne,America/Indianapolis,US/East-Indiana
America/Indiana/Knox|CST,CDT|America/Knox_IN,US/Indiana-Starke America/Indiana/Marengo|EST,EDT
America/Indiana/Petersburg|EST,EDT America/Indiana/Tell_City|CST,CDT America/Indiana/Vevay|EST,EDT
America/Indiana/Vincennes|EST,EDT America/Indiana/Winamac|EST,EDT America/Juneau|AKST,AKDT
America/Kentucky/Louisville|EST,EDT|America/Louisville America/Kentucky/Monticello|EST,EDT
America/Los_Angeles|PST,PDT|PST8PDT,US/Pacific America/Menominee|CST,CDT America/Metlakatla|AKST,AKDT
America/New_York|EST,EDT|EST5EDT,US/Eastern America/Nome|AKST,AKDT America/North_Dakota/Beulah|CST,CDT
America/North_Dakota/Center|CST,CDT America/North_Dakota/New_Salem|CST,CDT America/Phoenix|MST|MST,US/Arizona
America/Sitka|AKST,AKDT America/Yakutat|AKST,AKDT Pacific/Honolulu|HST|HST,Pacific/Johnston,US/Hawaii UY
America/Montevideo UZ Asia/Samarkand Asia/Tashkent VA Europe/Vatican|CET,CEST VC America/St_Vincent|AST VE
America/Caracas VG America/Tortola|AST VI America/St_Thomas|AST|America/Virgin VN Asia/Ho_Chi_Minh||Asia/Saigon VU
Pacific/Efate WF Pacific/Wallis WS Pacific/Apia YE Asia/Aden YT Indian/Mayotte|EAT ZA Africa/Johannesburg|SAST ZM
Africa/Lusaka|CAT ZW Africa/Harare|CAT`

/** `short`: what its clocks' time is called, as CET and CEST. `country`: ISO 3166-1 alpha-2, or empty. */
export type Zone = { name: string; country: string; short: string[]; aliases: string[] }

const words = (text = '') => text.split(',').filter(Boolean)

function read(): Zone[] {
  const zones: Zone[] = []
  let country = ''
  for (const entry of table.trim().split(/\s+/)) {
    if (/^[A-Z-]{2}$/.test(entry)) country = entry.replace('--', '')
    else {
      const [name = '', short, aliases] = entry.split('|')
      zones.push({ name, country, short: words(short), aliases: words(aliases) })
    }
  }
  return zones
}

let known: Map<string, Zone> | undefined

/** Every name of every zone, old ones and aliases too, with its zone. */
export function zonesByName(): ReadonlyMap<string, Zone> {
  known ??= new Map(read().flatMap(zone => [zone.name, ...zone.aliases].map(name => [name, zone] as const)))
  return known
}
