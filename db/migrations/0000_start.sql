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
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_account` ON `accounts` (`account`);--> statement-breakpoint
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
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account`);--> statement-breakpoint
CREATE TABLE `sign_in_failures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`address` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_failures_account` ON `sign_in_failures` (`account`,`at`);--> statement-breakpoint
CREATE TABLE `sign_in_locks` (
	`account` text NOT NULL,
	`address` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_in_locks_key` ON `sign_in_locks` (`account`,`address`);--> statement-breakpoint
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
CREATE INDEX `alerts_network` ON `alerts` (`network`,`at`);--> statement-breakpoint
CREATE INDEX `alerts_unread` ON `alerts` (`organization`,`read`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `credentials_name` ON `credentials` (`network`,`name`);--> statement-breakpoint
CREATE TABLE `device_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device` integer NOT NULL,
	`at` integer NOT NULL,
	`code` text NOT NULL,
	`values` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `device_events_device` ON `device_events` (`device`,`at`);--> statement-breakpoint
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
CREATE INDEX `devices_network` ON `devices` (`network`);--> statement-breakpoint
CREATE INDEX `devices_mac` ON `devices` (`mac`);--> statement-breakpoint
CREATE UNIQUE INDEX `devices_address` ON `devices` (`network`,`address`,`port`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `device_groups_name` ON `device_groups` (`network`,`name`);--> statement-breakpoint
CREATE INDEX `device_groups_parent` ON `device_groups` (`parent`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `networks_name` ON `networks` (`organization`,`name`);--> statement-breakpoint
CREATE TABLE `tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`name` text NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_name` ON `tags` (`organization`,`name`);--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE INDEX `changelog_at` ON `changelog` (`organization`,`at`);--> statement-breakpoint
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
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `deployments_device` ON `deployments` (`device`,`created_at`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `documents_name` ON `documents` (`kind`,`scope`,`scope_id`,`name`);--> statement-breakpoint
CREATE INDEX `documents_scope` ON `documents` (`scope`,`scope_id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization` integer NOT NULL,
	`type` text NOT NULL,
	`state` text NOT NULL,
	`progress` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `jobs_created` ON `jobs` (`created_at`);--> statement-breakpoint
CREATE TABLE `refs` (
	`from_document` text NOT NULL,
	`field` text NOT NULL,
	`to_document` text NOT NULL,
	PRIMARY KEY(`from_document`, `field`, `to_document`),
	FOREIGN KEY (`from_document`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `refs_to` ON `refs` (`to_document`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
