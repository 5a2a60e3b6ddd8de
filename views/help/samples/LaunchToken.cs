// LaunchToken.cs: sign a launch token. .NET 6 or later, no packages.
using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

public sealed record Client(string KeyId, string Issuer, string Address);
public sealed record Person(string Id, string Name, string Email);
public sealed record Subject(string Type, string Id, string PageOrigin, IReadOnlyDictionary<string, string> Prefill);

public static class LaunchToken
{
    // key: RSA of 2048 bits or more, read once with ImportFromPem. It never leaves your server.
    public static string Sign(RSA key, Client client, Person person, Subject record)
    {
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        var signed = Part(new Dictionary<string, object> { ["alg"] = "RS256", ["typ"] = "launch+jwt", ["kid"] = client.KeyId })
            + "." + Part(new Dictionary<string, object>
            {
                ["iss"] = client.Issuer,
                ["aud"] = client.Address,
                ["sub"] = person.Id,
                ["jti"] = Guid.NewGuid().ToString("N"),
                ["iat"] = now,
                ["exp"] = now + 60,
                ["name"] = person.Name,
                ["email"] = person.Email,
                ["origin"] = record.PageOrigin,
                ["record"] = new Dictionary<string, string> { ["type"] = record.Type, ["id"] = record.Id },
                ["prefill"] = record.Prefill,
            });
        var signature = key.SignData(Encoding.ASCII.GetBytes(signed), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        return signed + "." + Base64Url(signature);
    }

    static string Part(object value) => Base64Url(JsonSerializer.SerializeToUtf8Bytes(value));

    static string Base64Url(byte[] bytes) => Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');
}
