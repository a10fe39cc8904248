CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`account` text NOT NULL,
	`username` text NOT NULL,
	`email` text,
	`role` text NOT NULL,
	`password` text NOT NULL,
	`password_changed_at` integer NOT NULL,
	`state` text NOT NULL,
	`register` integer DEFAULT 0 NOT NULL,
	`locale` text,
	`timezone` text,
	`date_format` text DEFAULT 'yyyy-MM-dd' NOT NULL,
	`hours` integer DEFAULT 24 NOT NULL,
	`appearance` integer DEFAULT 0 NOT NULL,
	`guide_step` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`all_networks` integer DEFAULT false NOT NULL,
	`created_by` integer DEFAULT 0 NOT NULL,
	`mfa` text,
	`mfa_pending` text,
	`mfa_since` integer,
	`mfa_step` integer DEFAULT 0 NOT NULL,
	`session_timeout` integer,
	`company` text DEFAULT '' NOT NULL,
	`last_sign_in_at` integer,
	`invited_at` integer DEFAULT 0 NOT NULL,
	`invitation` text,
	`source` text DEFAULT 'local' NOT NULL,
	`subject` text,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `known_browsers` (
	`id` text PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`seen_at` integer NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`network` integer,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`address` text NOT NULL,
	`agent` text NOT NULL,
	`notice_off` integer DEFAULT false NOT NULL,
	`sso` text,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sign_in_failures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`address` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sign_in_locks` (
	`account` text NOT NULL,
	`address` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`network` integer,
	`device` integer,
	`level` integer NOT NULL,
	`type` text NOT NULL,
	`values` text DEFAULT '{}' NOT NULL,
	`at` integer NOT NULL,
	`read` integer DEFAULT false NOT NULL,
	`recovered_at` integer,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE TABLE `credentials` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`network` integer NOT NULL,
	`device_group` integer,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`user` text DEFAULT '' NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_group`) REFERENCES `device_groups`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE TABLE `device_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device` integer NOT NULL,
	`at` integer NOT NULL,
	`code` text NOT NULL,
	`values` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `devices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`network` integer NOT NULL,
	`device_group` integer,
	`mac` text DEFAULT '' NOT NULL,
	`name` text NOT NULL,
	`remarks` text DEFAULT '' NOT NULL,
	`address` text NOT NULL,
	`port` integer NOT NULL,
	`driver` text NOT NULL,
	`credential` integer,
	`host_key` text DEFAULT '' NOT NULL,
	`kind` text NOT NULL,
	`vendor` text DEFAULT '' NOT NULL,
	`model` text DEFAULT '' NOT NULL,
	`serial` text DEFAULT '' NOT NULL,
	`firmware` text DEFAULT '' NOT NULL,
	`facts` text DEFAULT '{}' NOT NULL,
	`status` integer NOT NULL,
	`status_at` integer NOT NULL,
	`seen_at` integer,
	`reason` text DEFAULT '' NOT NULL,
	`open_login` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`device_group`) REFERENCES `device_groups`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`credential`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE TABLE `device_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`network` integer NOT NULL,
	`parent` integer,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent`) REFERENCES `device_groups`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `network_tags` (
	`network` integer NOT NULL,
	`tag` integer NOT NULL,
	PRIMARY KEY(`network`, `tag`),
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `networks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`name` text NOT NULL,
	`country` text NOT NULL,
	`timezone` text NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`name` text NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `assignments` (
	`document` text NOT NULL,
	`target` text NOT NULL,
	`target_id` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`document`, `target`, `target_id`),
	FOREIGN KEY (`document`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `changelog` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer,
	`network` integer,
	`at` integer NOT NULL,
	`account` text NOT NULL,
	`address` text NOT NULL,
	`action` text NOT NULL,
	`object` text NOT NULL,
	`name` text NOT NULL,
	`fields` text NOT NULL,
	`mac` text NOT NULL
, `document` text, `kept` text);
--> statement-breakpoint
CREATE TABLE `deployments` (
	`id` text PRIMARY KEY NOT NULL,
	`organization` integer NOT NULL,
	`device` integer NOT NULL,
	`state` text NOT NULL,
	`step` text DEFAULT '' NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`detail` text DEFAULT '' NOT NULL,
	`warnings` text DEFAULT '[]' NOT NULL,
	`before` text DEFAULT '' NOT NULL,
	`planned` text DEFAULT '' NOT NULL,
	`seen` text DEFAULT '' NOT NULL,
	`pending` text DEFAULT '' NOT NULL,
	`window_seconds` integer DEFAULT 90 NOT NULL,
	`by_account` text NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`armed_at` integer,
	`ended_at` integer,
	`documents` text DEFAULT '' NOT NULL,
	`restores` text DEFAULT '' NOT NULL,
	`accepts` text DEFAULT '[]' NOT NULL,
	`values` text DEFAULT '{}' NOT NULL,
	`outline` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `documents` (
	`id` text PRIMARY KEY NOT NULL,
	`organization` integer NOT NULL,
	`scope` text NOT NULL,
	`scope_id` integer NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`data` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`changed_by` text NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization` integer NOT NULL,
	`type` text NOT NULL,
	`state` text NOT NULL,
	`progress` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer
, `network` integer);
--> statement-breakpoint
CREATE TABLE `refs` (
	`from_document` text NOT NULL,
	`field` text NOT NULL,
	`to_document` text NOT NULL,
	PRIMARY KEY(`from_document`, `field`, `to_document`),
	FOREIGN KEY (`from_document`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pushed_documents` (
	`document` text NOT NULL,
	`revision` integer NOT NULL,
	`network` integer NOT NULL,
	`row` text NOT NULL,
	`assign` text NOT NULL,
	PRIMARY KEY(`document`, `revision`),
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `takeovers` (
	`organization` integer NOT NULL,
	`device` integer NOT NULL,
	`item` text NOT NULL,
	`kept` text NOT NULL,
	`document` text DEFAULT '' NOT NULL,
	`made` text DEFAULT '{}' NOT NULL,
	`taken_at` integer NOT NULL,
	`by_account` text NOT NULL,
	`returned_at` integer,
	PRIMARY KEY(`device`, `item`),
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `account_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` integer NOT NULL,
	`purpose` text NOT NULL,
	`digest` text NOT NULL,
	`data` text NOT NULL,
	`wrong_tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message` text NOT NULL,
	`organization` integer,
	`recipient` text NOT NULL,
	`locale` text NOT NULL,
	`template` text NOT NULL,
	`values` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`error` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`name` text NOT NULL,
	`authorities` text NOT NULL,
	`created_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `account_networks` (
	`account` integer NOT NULL,
	`network` integer NOT NULL,
	PRIMARY KEY(`account`, `network`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `ip_whitelist` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`ip` text NOT NULL,
	`remark` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` integer NOT NULL,
	`digest` text NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` integer NOT NULL,
	`name` text NOT NULL,
	`digest` text NOT NULL,
	`prefix` text NOT NULL,
	`authorities` text NOT NULL,
	`networks` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`used_at` integer DEFAULT 0 NOT NULL,
	`used_from` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `network_offers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`network` integer NOT NULL,
	`organization` integer NOT NULL,
	`kind` text NOT NULL,
	`accepted` integer DEFAULT false NOT NULL,
	`by_account` text NOT NULL,
	`recipient` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sign_ups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`account` text NOT NULL,
	`username` text NOT NULL,
	`email` text NOT NULL,
	`company` text NOT NULL,
	`locale` text NOT NULL,
	`password` text,
	`link` text NOT NULL,
	`sent_at` integer NOT NULL,
	`proven_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `role_lines` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`source` text NOT NULL,
	`value` text NOT NULL,
	`role` text NOT NULL,
	`all_networks` integer NOT NULL,
	`networks` text NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `saml_providers` (
	`organization` integer PRIMARY KEY NOT NULL,
	`enabled` integer NOT NULL,
	`identifier` text NOT NULL,
	`data` text NOT NULL,
	`key` text NOT NULL,
	`certificate` text NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook` integer NOT NULL,
	`event` text NOT NULL,
	`topic` text NOT NULL,
	`type` text NOT NULL,
	`network` integer,
	`body` text NOT NULL,
	`state` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`tried_at` integer DEFAULT 0 NOT NULL,
	`ms` integer DEFAULT 0 NOT NULL,
	`code` integer DEFAULT 0 NOT NULL,
	`error` text DEFAULT '' NOT NULL,
	`answer` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`webhook`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` integer NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`topics` text NOT NULL,
	`level` integer NOT NULL,
	`networks` text,
	`state` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`logged` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `notices` (
	`organization` integer PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`mailed` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_account` ON `accounts` (`account`);
--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account`);
--> statement-breakpoint
CREATE INDEX `sign_in_failures_account` ON `sign_in_failures` (`account`,`at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_in_locks_key` ON `sign_in_locks` (`account`,`address`);
--> statement-breakpoint
CREATE INDEX `alerts_network` ON `alerts` (`network`,`at`);
--> statement-breakpoint
CREATE INDEX `alerts_unread` ON `alerts` (`organization`,`read`);
--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_name` ON `credentials` (`network`,`name`);
--> statement-breakpoint
CREATE INDEX `device_events_device` ON `device_events` (`device`,`at`);
--> statement-breakpoint
CREATE INDEX `devices_network` ON `devices` (`network`);
--> statement-breakpoint
CREATE INDEX `devices_mac` ON `devices` (`mac`);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_address` ON `devices` (`network`,`address`,`port`);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_groups_name` ON `device_groups` (`network`,`name`);
--> statement-breakpoint
CREATE INDEX `device_groups_parent` ON `device_groups` (`parent`);
--> statement-breakpoint
CREATE UNIQUE INDEX `networks_name` ON `networks` (`organization`,`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_name` ON `tags` (`organization`,`name`);
--> statement-breakpoint
CREATE INDEX `changelog_at` ON `changelog` (`organization`,`at`);
--> statement-breakpoint
CREATE INDEX `deployments_device` ON `deployments` (`device`,`created_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `documents_name` ON `documents` (`kind`,`scope`,`scope_id`,`name`);
--> statement-breakpoint
CREATE INDEX `documents_scope` ON `documents` (`scope`,`scope_id`);
--> statement-breakpoint
CREATE INDEX `jobs_created` ON `jobs` (`created_at`);
--> statement-breakpoint
CREATE INDEX `refs_to` ON `refs` (`to_document`);
--> statement-breakpoint
CREATE INDEX `pushed_documents_network` ON `pushed_documents` (`network`);
--> statement-breakpoint
CREATE INDEX `deployments_ended` ON `deployments` (`device`,`state`,`ended_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_tokens_purpose` ON `account_tokens` (`account`,`purpose`);
--> statement-breakpoint
CREATE INDEX `account_tokens_digest` ON `account_tokens` (`digest`);
--> statement-breakpoint
CREATE UNIQUE INDEX `mails_message_unique` ON `mails` (`message`);
--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`state`,`next_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_name` ON `roles` (`organization`,`name`);
--> statement-breakpoint
CREATE INDEX `changelog_organization` ON `changelog` (`organization`);
--> statement-breakpoint
CREATE INDEX `changelog_network` ON `changelog` (`organization`,`network`);
--> statement-breakpoint
CREATE INDEX `changelog_account` ON `changelog` (`organization`,`account`);
--> statement-breakpoint
CREATE INDEX `changelog_object` ON `changelog` (`organization`,`object`);
--> statement-breakpoint
CREATE INDEX `changelog_document` ON `changelog` (`document`);
--> statement-breakpoint
CREATE UNIQUE INDEX `ip_whitelist_key` ON `ip_whitelist` (`organization`,`ip`);
--> statement-breakpoint
CREATE UNIQUE INDEX `recovery_codes_key` ON `recovery_codes` (`account`,`digest`);
--> statement-breakpoint
CREATE INDEX `accounts_invitation` ON `accounts` (`invitation`);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_digest` ON `api_keys` (`digest`);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_name` ON `api_keys` (`account`,`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `network_offers_key` ON `network_offers` (`network`,`organization`);
--> statement-breakpoint
CREATE INDEX `network_offers_organization` ON `network_offers` (`organization`);
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_ups_email` ON `sign_ups` (`email`);
--> statement-breakpoint
CREATE INDEX `sign_ups_link` ON `sign_ups` (`link`);
--> statement-breakpoint
CREATE UNIQUE INDEX `role_lines_value` ON `role_lines` (`organization`,`source`,`value`);
--> statement-breakpoint
CREATE UNIQUE INDEX `saml_providers_identifier` ON `saml_providers` (`identifier`);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_subject` ON `accounts` (`organization`,`subject`);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`state`,`next_at`);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhook`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_name` ON `webhooks` (`account`,`name`);
