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
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`state`,`next_at`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhook`,`id`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `webhooks_name` ON `webhooks` (`account`,`name`);