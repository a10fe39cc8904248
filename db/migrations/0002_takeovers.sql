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
