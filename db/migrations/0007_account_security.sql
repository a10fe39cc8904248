CREATE TABLE `ip_whitelist` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`ip` text NOT NULL,
	`remark` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ip_whitelist_key` ON `ip_whitelist` (`organization`,`ip`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` integer NOT NULL,
	`digest` text NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recovery_codes_key` ON `recovery_codes` (`account`,`digest`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `mfa` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `mfa_pending` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `mfa_since` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `mfa_step` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `session_timeout` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `notice_off` integer DEFAULT false NOT NULL;