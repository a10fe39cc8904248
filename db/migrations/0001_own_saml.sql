-- Identity providers are own settings of their organization now, beside the key that signs what is asked of them.
INSERT OR IGNORE INTO `settings` (`key`, `value`)
SELECT 'organization:' || `organization` || ':saml', json_object(
  -- A patch leaves out what is null.
  'data', json_patch('{}', json_object(
    'enabled', json(CASE `enabled` WHEN 0 THEN 'false' ELSE 'true' END),
    'identifier', `identifier`,
    'baseUrl', `data` ->> '$.baseUrl',
    'entity', `data` ->> '$.entity',
    'signInUrl', `data` ->> '$.signInUrl',
    'signOutUrl', nullif(`data` ->> '$.signOutUrl', ''),
    'certificates', (SELECT group_concat(trim(`value`, char(10)), char(10)) FROM json_each(`data`, '$.certificates')),
    'roleAttribute', `data` ->> '$.roleAttribute',
    'accountAttribute', nullif(`data` ->> '$.accountAttribute', ''),
    'nameAttribute', nullif(`data` ->> '$.nameAttribute', ''),
    'emailAttribute', nullif(`data` ->> '$.emailAttribute', '')
  )) || '',
  'revision', 1, 'changedAt', unixepoch() * 1000, 'changedBy', ''
)
FROM `saml_providers`;
--> statement-breakpoint
INSERT OR IGNORE INTO `settings` (`key`, `value`)
SELECT 'organization:' || `organization` || ':samlKey', json_object('key', `key`, 'certificate', `certificate`)
FROM `saml_providers`;
--> statement-breakpoint
DROP TABLE `saml_providers`;
