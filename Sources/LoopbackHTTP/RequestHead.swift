/// A request line and its fields, checked for syntax only. Values are bytes of the client's choosing.
package struct RequestHead: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        /// Lower-case: field names are case-insensitive.
        package var name: String
        /// Without surrounding white space. Bytes that are not UTF-8 are replaced.
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method: String
    /// The request target as it was sent, query included: never to be logged.
    package var target: String
    /// Minor version of HTTP/1; later minors are understood as 1.
    package var minorVersion: Int
    package var fields: [Field]

    package init(method: String, target: String, minorVersion: Int, fields: [Field]) {
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.fields = fields
    }

    /// The values of every field of that (lower-case) name, in order.
    package func values(of name: String) -> [String] {
        var values: [String] = []
        for field in fields where field.name == name { values.append(field.value) }
        return values
    }

    /// The value when the field occurs exactly once.
    package func onlyValue(of name: String) -> String? {
        guard let first = fields.firstIndex(where: { $0.name == name }), !fields[(first + 1)...].contains(where: { $0.name == name }) else { return nil }
        return fields[first].value
    }

    /// Whether the client is ready for another answer on this connection.
    ///
    /// RFC 9112 §9.3.
    package var wantsPersistence: Bool {
        let fields = values(of: "connection")
        if fields.isEmpty { return minorVersion >= 1 }
        let options =
            fields
            .flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        if options.contains("close") { return false }
        return minorVersion >= 1 || options.contains("keep-alive")
    }
}
