module headroom.example/client

go 1.21
