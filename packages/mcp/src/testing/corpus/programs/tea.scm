#!/usr/bin/env -S guile --no-auto-compile -s
!#
;; No JSON library: expressions are enough for what the host writes.
(use-modules (ice-9 rdelim) (ice-9 regex))
(define n 0)
(define (part pattern line)
  (let ((found (string-match pattern line))) (and found (match:substring found 1))))
(define (call line)
  (let ((tool (part "\"name\":\"([a-z]+)\"" line))
        (a (part "\"a\":([-0-9.]+)" line))
        (b (part "\"b\":([-0-9.]+)" line)))
    (cond
      ((equal? tool "count") (set! n (+ n 1)) (format #f "\"result\":{\"output\":{\"n\":~a}}" n))
      ((equal? tool "sleep") (sleep 60) "")
      (a (format #f "\"result\":{\"output\":{\"sum\":~a}}" (+ (string->number a) (string->number b))))
      (else "\"result\":{\"success\":false,\"error\":\"a is missing\"}"))))
(let loop ((line (read-line)))
  (unless (eof-object? line)
    (let ((id (part "\"id\":(\"[^\"]*\"|[0-9]+)" line))
          (method (part "\"method\":\"([a-z/]+)\"" line)))
      (when id
        (format #t "{\"jsonrpc\":\"2.0\",\"id\":~a,~a}\n" id
          (cond
            ((equal? method "describe")
              "\"result\":{\"name\":\"tea\",\"tools\":[{\"name\":\"add\"},{\"name\":\"count\"},{\"name\":\"sleep\"}]}")
            ((equal? method "call") (call line))
            (else "\"error\":{\"code\":-32601,\"message\":\"no such method\"}")))
        (force-output)))
    (loop (read-line))))
