CREATE TABLE `associations` (
	`one` integer NOT NULL,
	`other` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`one`, `other`),
	FOREIGN KEY (`one`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`other`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `address` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `type` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `address` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `device_groups` ADD `is_default` integer DEFAULT false NOT NULL;