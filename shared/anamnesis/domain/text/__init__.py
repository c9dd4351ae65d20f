"""What holds for any text in any language: normal forms, stems, index terms, tokens, and safe containment."""
